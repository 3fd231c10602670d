import { Option } from "commander";
import { CliCommand, stackOptions, statuses } from "../options";
import type { DriftFlags } from "./command";

export const driftOptions = () =>
  new CliCommand("drift")
    .description(
      "List edits and deletions made outside Pulumi in one or more stacks, and what the next update does with them.",
    )
    .addOptions(stackOptions("--refresh"))
    .argument("[folder...]", "the folders of the programs (default: the current folder)")
    .addOption(
      new Option(
        "--unmanaged",
        "also list objects in the service that no stack declares; the objects of stacks that you don't name are listed too",
      ).conflicts("from"),
    )
    .addExamples(
      [
        "pulumi-observability drift --stack production",
        "pulumi-observability drift stacks/* --all-stacks --markdown drift.md",
        "pulumi-observability drift --all-stacks --unmanaged",
      ],
      statuses("a preview failed", "an edit or a deleted object, or with --unmanaged an object that no stack declares"),
    )
    .runs<DriftFlags>(async (flags, output, folders) => (await import("./command.js")).drift(folders, flags, output));
