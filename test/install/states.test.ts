import { describe, expect, test } from "vitest";
import { providerText } from "../../dist/provider/dynamic/providerText.js";
import { readManifest, root } from "./manifest.js";
import { usualOrDeep } from "../support/figures.js";
import { ownService } from "../support/service.js";
import { programs } from "./declarations.js";
import { keep, keepable, keptBy, versions } from "./kept.js";
import { begin, liveOn } from "./statesLife.js";
import { kindOf, oursIn, Project } from "./statesProject.js";

const { version } = readManifest(root);
const isWriting = process.env.TEST_WRITE_STATES === "1";
const command = "TEST_WRITE_STATES=1 npm test -- test/install/states.test.ts";

const writeAll = () =>
  test.each(Object.entries(programs))(`writes the state of ${version}: %s`, async (name, program) => {
    const service = await ownService({ showSecrets: true });
    const project = new Project();
    await begin(project, service, program);
    keep(version, name, await keepable(project, service, program));
  });

/** Every kept state: of which version, of which program. */
const kept = versions.flatMap((by) => keptBy(by).map(([name, state]) => ({ by, name, state })));

const replayAll = () => {
  test("are there of this version, one of each program", () => {
    const names = kept.filter(({ by }) => by === version).map(({ name }) => name);
    expect(names, `write them once: ${command}`).toEqual(Object.keys(programs).sort());
  });

  test.each(kept)("of $by, $name: hold the provider text that is recorded today, byte by byte", ({ state }) => {
    const ours = oursIn(state.state);
    expect(ours).toHaveLength(state.declarations.resources.length);
    for (const resource of ours) {
      expect(resource.inputs?.__provider).toBe(providerText(kindOf(resource)));
      expect(resource.outputs?.__provider).toBe(providerText(kindOf(resource)));
    }
  });

  // That with all kinds and fields.
  const complete = kept.filter(({ by, name }) => by === version && name === "complete");
  test.concurrent.for(usualOrDeep(complete, kept))(
    "of $by, $name: is found unchanged, takes a change of each resource, and is destroyed",
    async ({ state }) => liveOn(new Project(), await ownService(), state),
  );
};

describe("kept states", isWriting ? writeAll : replayAll);
