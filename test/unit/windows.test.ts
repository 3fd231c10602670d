import path from "node:path";
import { expect, test, vi } from "vitest";
import { pathTo } from "../../dist/cli/program/write.js";
import { stackLabel } from "../../dist/cli/pulumi/previews.js";

/** What a function returns where paths are those of Windows. */
function onWindows<T>(act: () => T): T {
  const { posix, win32, ...own } = path;
  vi.spyOn(process, "platform", "get").mockReturnValue("win32");
  Object.assign(path, win32);
  try {
    return act();
  } finally {
    Object.assign(path, own, { posix, win32 });
    vi.restoreAllMocks();
  }
}

test.each([
  ["datasets", "./datasets"],
  ["checkout\\datasets", "./checkout/datasets"],
  ["..\\shared\\datasets", "../shared/datasets"],
])("on Windows a program imports the file %s from %s", (file, from) => {
  expect(onWindows(() => pathTo(file, "index"))).toBe(from);
});

test("on Windows a stack has the name of its folder, without the drive and the folders above", () => {
  expect(onWindows(() => stackLabel({ folder: "C:\\work\\team-a", stack: "dev" }))).toBe("team-a/dev");
});
