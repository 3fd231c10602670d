import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Claim, Claims } from "../../../dist/provider/lifecycle/claims.js";
import { ownFolder } from "../../support/folders.js";

const claim = (more: Partial<Claim> = {}): Claim => ({
  object: "Monitor/errors",
  instance: "1",
  name: "errors",
  places: ["errors"],
  address: "http://a",
  token: "a",
  isWritten: false,
  ...more,
});
const twoProcesses = () => {
  const folder = join(ownFolder(), "operation");
  return [new Claims(folder), new Claims(folder)] as const;
};

test("a process knows what another one of its operation has claimed, before and since", () => {
  const [one, two] = twoProcesses();
  expect(two.claimsOf("Monitor/errors")).toEqual([]);
  one.claim(claim());
  expect(two.claimsOf("Monitor/errors")).toEqual([claim()]);
  one.claim(claim({ object: "Monitor/other" }));
  expect(two.claimsOf("Monitor/errors")).toEqual([]);
  expect(two.claimsOf("Monitor/other")).toHaveLength(1);
});

test("an object makes room only for the resource that it was recorded for, between its check and its create", () => {
  const [one, two] = twoProcesses();
  one.claim(claim({ recorded: "Monitor/errors" }));
  const isReplaced = () => two.claimsOf("Monitor/errors").every((each) => two.isReplacedBy(each, "errors"));
  expect(isReplaced()).toBe(false);
  one.claim(claim({ isWritten: true, creation: "awaited" }));
  expect(isReplaced()).toBe(true);
  one.claim(claim({ isWritten: true }));
  expect(isReplaced()).toBe(false);
});

test("an object does not make room for a new resource while another one, which it is recorded for, moves away", () => {
  const [one, two] = twoProcesses();
  one.claim(claim({ object: "Monitor/away", recorded: "Monitor/errors" }));
  two.claim(claim({ instance: "2", isWritten: true, creation: "awaited" }));
  const [newcomer] = one.claimsOf("Monitor/errors");
  expect(newcomer && one.isReplacedBy(newcomer, "errors")).toBe(false);
});

test("an object makes room for a resource that is replaced by request, and not for a new one elsewhere", () => {
  const [one] = twoProcesses();
  one.claim(claim({ isWritten: true, creation: "awaited" }));
  const [only] = one.claimsOf("Monitor/errors");
  expect(only && one.isReplacedBy(only, "errors")).toBe(true);
  expect(only && one.isReplacedBy(only, "component/errors")).toBe(false);
  expect(only && one.isReplacedBy(only, undefined)).toBe(false);
});

test("a process takes its file away when it ends, and the last one the folder", () => {
  const [one, two] = twoProcesses();
  for (const each of [one, two]) each.claim(claim());
  one.close();
  expect(readdirSync(String(two.folder))).toHaveLength(1);
  two.close();
  expect(() => readdirSync(String(two.folder))).toThrow(/ENOENT/);
});

test("what a killed process has left does not count for the next operation under its address", () => {
  const folder = join(ownFolder(), "operation");
  mkdirSync(folder);
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(join(folder, `${pid}-1`), `${JSON.stringify(claim())}\n`);
  const operation = new Claims(folder);
  operation.claim(claim({ object: "Monitor/other", instance: "2" }));
  expect(operation.claimsOf("Monitor/errors")).toEqual([]);
});

test("a folder that cannot be made is named, with the way out", () => {
  const place = join(ownFolder(), "file");
  writeFileSync(place, "");
  expect(() => new Claims(join(place, "folder")).claim(claim())).toThrow(/folder".*set TMPDIR to a folder/);
});

test("a line that is still being written is read when it is whole", () => {
  const folder = join(ownFolder(), "operation");
  mkdirSync(folder);
  const line = `${JSON.stringify(claim())}\n`;
  writeFileSync(join(folder, "1-1"), line.slice(0, 20));
  const operation = new Claims(folder);
  expect(operation.claimsOf("Monitor/errors")).toEqual([]);
  writeFileSync(join(folder, "1-1"), line);
  expect(operation.claimsOf("Monitor/errors")).toHaveLength(1);
});
