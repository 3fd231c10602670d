import { expect, onTestFinished, test } from "vitest";
import { Claims } from "../../dist/provider/lifecycle/objects/claims.js";
import { argsWith, caseOf } from "../support/cases.js";
import { ownFolder } from "../support/folders.js";
import { ownService, put } from "../support/service.js";
import { settingsFor } from "../support/settings.js";
import { ProviderProcess } from "./process.js";

// Defects that the model excuses. If one of these tests no longer fails, remove it and its excuse.

/** What a preview says of a monitor that was deleted for a replacement, which was broken off, if it adopts another one. */
async function notesAfterBrokenReplacement(options: { readonly deleteBeforeReplace?: boolean }): Promise<string> {
  const { kind } = caseOf("Monitor");
  const service = await ownService();
  await put(service, kind.name, "left", { name: "theirs" });
  const settings = settingsFor(service.url, { requestTimeoutSecs: 10, retryBudgetSecs: 10 });
  const process = new ProviderProcess(settings, new Claims(ownFolder()));
  onTestFinished(() => process.stop());
  const inputs = argsWith(caseOf("Monitor"), "left");
  const context = {
    dryRun: true,
    name: "errors",
    instance: "errors",
    qualifiedName: "errors",
    adopt: true,
    ...options,
  };
  // The engine checks what is recorded, and then the replacement as if nothing were recorded.
  await process.check(kind, { ...inputs, __provider: "recorded" }, { ...inputs, __ctx: context });
  await process.check(kind, {}, { ...inputs, __ctx: context });
  return process.notes.join("\n");
}

test("a preview names what it adopts after a replacement that was broken off", async () => {
  expect(await notesAfterBrokenReplacement({})).toContain('adopts the existing monitor "left"');
});

// With deleteBeforeReplace the provider expects that the engine deletes the object first. The engine has done so in the
// run that was broken off, and does not delete again.
test.fails("a preview names what it adopts after a deleteBeforeReplace that was broken off", async () => {
  expect(await notesAfterBrokenReplacement({ deleteBeforeReplace: true })).toContain(
    'adopts the existing monitor "left"',
  );
});
