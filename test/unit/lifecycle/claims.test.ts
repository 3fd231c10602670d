import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Claim, Claims, isReplacedBy } from "../../../dist/provider/lifecycle/objects/claims.js";
import { processId } from "../../../dist/provider/lifecycle/objects/processId.js";
import { runFolder } from "../../../dist/provider/lifecycle/objects/sharedLines.js";
import { ownFolder } from "../../support/folders.js";

const claim = (more: Partial<Claim> = {}): Claim => ({
  objectKey: "Monitor/errors",
  instance: "1",
  qualifiedNames: ["errors"],
  serviceUrl: "http://a",
  token: "a",
  step: "unchanged",
  ...more,
});
const ownOperation = () => join(ownFolder(), "operation");
/** A folder as an earlier process has made it. */
const madeOperation = () => {
  const folder = ownOperation();
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};
const twoProcesses = () => {
  const folder = ownOperation();
  return [new Claims(folder), new Claims(folder)] as const;
};

test("a process knows the claims of another one of its operation, earlier and later ones", () => {
  const [one, two] = twoProcesses();
  expect(two.all()).toEqual([]);
  one.claim(claim());
  expect(two.all()).toEqual([claim()]);
  one.claim(claim({ objectKey: "Monitor/other" }));
  expect(two.all()).toEqual([claim({ objectKey: "Monitor/other" })]);
});

test("containers that share a folder for temporary files and an engine's address share no claims", () => {
  const folder = (namespace?: string) => runFolder("127.0.0.1:41234", namespace);
  expect(folder()).toBe(folder());
  expect(folder("pid:[1]")).not.toBe(folder("pid:[2]"));
});

test("an object makes room only for the resource that it was recorded for, between its check and its create", () => {
  const [one, two] = twoProcesses();
  one.claim(claim({ recordedKey: "Monitor/errors" }));
  const isReplaced = () => two.all().every((each) => isReplacedBy(two.all(), each, "errors"));
  expect(isReplaced()).toBe(false);
  one.claim(claim({ step: "awaited" }));
  expect(isReplaced()).toBe(true);
  one.claim(claim({ step: "updated" }));
  expect(isReplaced()).toBe(false);
});

test("an object does not make room for a new resource while another one, which it is recorded for, moves away", () => {
  const [one, two] = twoProcesses();
  one.claim(claim({ objectKey: "Monitor/away", recordedKey: "Monitor/errors" }));
  two.claim(claim({ instance: "2", step: "awaited" }));
  const newcomer = one.claimsOn("Monitor/errors").find(({ instance }) => instance === "2");
  expect(newcomer && isReplacedBy(one.all(), newcomer, "errors")).toBe(false);
});

test("an object makes room for a resource that is replaced by request, and not for a new one elsewhere", () => {
  const [one] = twoProcesses();
  one.claim(claim({ step: "awaited" }));
  const [only] = one.all();
  expect(only && isReplacedBy([only], only, "errors")).toBe(true);
  expect(only && isReplacedBy([only], only, "component/errors")).toBe(false);
  expect(only && isReplacedBy([only], only, undefined)).toBe(false);
  const elsewhere = claim({ instance: "2", recordedKey: "Monitor/errors", serviceUrl: "http://b" });
  expect(only && isReplacedBy([only, elsewhere], only, "errors")).toBe(true);
});

test("a process removes its file when it ends, and the last one removes the folder", () => {
  const [one, two] = twoProcesses();
  for (const each of [one, two]) each.claim(claim());
  one.close();
  expect(readdirSync(String(two.folder))).toHaveLength(1);
  two.close();
  expect(() => readdirSync(String(two.folder))).toThrow(/ENOENT/);
});

// Only Linux has namespaces, and not every container lets its users make one.
const readOnly = ["-rm", "sh", "-c", 'mount -t tmpfs -o ro none "$0" && exec "$@"', ownFolder()];
const canMount = spawnSync("unshare", [...readOnly, "true"]).status === 0;
test.skipIf(!canMount)("a folder on a read-only file system is an error with that reason", () => {
  const module = join(import.meta.dirname, "../../../dist/provider/lifecycle/objects/sharedLines.js");
  const program = `new (require("${module}").SharedLines)("${readOnly.at(-1)}/operation").append("a")`;
  const { stderr } = spawnSync("unshare", [...readOnly, process.execPath, "-e", program], { encoding: "utf8" });
  expect(stderr).toContain("it can't be written (EROFS). Set TMPDIR to a writable folder");
});

test("files of a killed process do not count for the next operation with its address", () => {
  const folder = madeOperation();
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  const leave = (id: string) => writeFileSync(join(folder, `${id}-1`), `${JSON.stringify(claim())}\n`);
  leave(String(pid));
  expect(new Claims(folder).all()).toEqual([]);
  // Another process may have got its id.
  leave(process.platform === "linux" ? `${process.pid}.1` : String(pid));
  const operation = new Claims(folder);
  const own = claim({ objectKey: "Monitor/other", instance: "2" });
  operation.claim(own);
  expect(operation.all()).toEqual([own]);
  // A process of this operation can be killed too: what it has claimed is still declared.
  leave(String(pid));
  const all = [...new Claims(folder).all()].sort((a, b) => a.instance.localeCompare(b.instance));
  expect(all).toEqual([claim(), own]);
});

test("a folder that can't be created is named, with the remedy", () => {
  const place = join(ownFolder(), "file");
  writeFileSync(place, "");
  expect(() => new Claims(join(place, "folder")).claim(claim())).toThrow(/folder".*Set TMPDIR to a writable folder/);
});

test("a line that is still being written is read when it is whole", () => {
  const folder = madeOperation();
  const line = `${JSON.stringify(claim())}\n`;
  writeFileSync(join(folder, "1-1"), line.slice(0, 20));
  const operation = new Claims(folder);
  expect(operation.all()).toEqual([]);
  writeFileSync(join(folder, "1-1"), line);
  expect(operation.all()).toHaveLength(1);
});

describe.skipIf(process.platform === "win32")("a folder that another user may have prepared", () => {
  const isRoot = process.geteuid?.() === 0;
  const prepared: readonly [string, RegExp, (folder: string) => void, boolean?][] = [
    ["is a link", /it is a symbolic link/, (folder) => symlinkSync(madeOperation(), folder)],
    ["is a link to nothing", /it is a symbolic link/, (folder) => symlinkSync(ownOperation(), folder)],
    ["is a file", /it is not a folder/, (folder) => writeFileSync(folder, "")],
    ["is readable by others", /other users can read or write/, (folder) => made(folder, 0o750)],
    ["is writable by others", /other users can read or write/, (folder) => made(folder, 0o1777)],
    // Only root can give a folder to another user.
    ["belongs to another user", /it belongs to another user/, (folder) => given(folder), !isRoot],
  ];
  const made = (folder: string, mode: number) => {
    mkdirSync(folder);
    chmodSync(folder, mode); // The umask does not apply.
  };
  const given = (folder: string) => {
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, 12345, 12345);
  };

  for (const [what, why, prepare, isSkipped = false] of prepared) {
    test.skipIf(isSkipped)(`is neither written nor read if it ${what}`, () => {
      const folder = ownOperation();
      prepare(folder);
      const wayOut = new RegExp(`folder "${folder}".*${why.source}.*set TMPDIR to a folder of your own`);
      expect(() => new Claims(folder).claim(claim())).toThrow(wayOut);
      expect(() => new Claims(folder).all()).toThrow(wayOut);
    });
  }
});

test.skipIf(process.platform === "win32")("a file that is a link is neither written nor read", () => {
  const folder = madeOperation();
  const outside = join(ownFolder(), "outside");
  const text = `${JSON.stringify(claim())}\n`;
  writeFileSync(outside, text);
  // Every name that this process may use next.
  for (let i = 1; i <= 100; i += 1) symlinkSync(outside, join(folder, `${processId}-${i}`));
  const operation = new Claims(folder);
  expect(operation.all()).toEqual([]);
  operation.claim(claim({ objectKey: "Monitor/other", instance: "2" }));
  expect(readFileSync(outside, "utf8")).toBe(text);
  operation.close();
});

test.skipIf(process.platform === "win32" || process.geteuid?.() !== 0)(
  "a file of another user is not read (only root can make one)",
  () => {
    const folder = madeOperation();
    const file = join(folder, "1-1");
    writeFileSync(file, `${JSON.stringify(claim())}\n`);
    chownSync(file, 12345, 12345);
    expect(new Claims(folder).all()).toEqual([]);
  },
);

test.each(["half a lin", "null", "[]", '{"objectKey":1}'])("a damaged line is named, with the remedy: %s", (line) => {
  const folder = madeOperation();
  writeFileSync(join(folder, "1-1"), `${line}\n`);
  expect(() => new Claims(folder).all()).toThrow(
    /folder ".*, because a file in it is damaged\. Run again\. If the error persists, delete the folder/,
  );
});
