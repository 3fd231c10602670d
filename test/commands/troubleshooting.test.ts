import { expect, test } from "vitest";
import { textOf } from "./pages.js";

/** Messages of Pulumi and Node.js, and those of ours that are printed outside the provider: where a test meets each. */
const metElsewhere: Readonly<Record<string, string>> = {
  "reading 'toJavaScript'": "test/commands/importExisting.test.ts",
  "Cannot find module '@pulumi/pulumi/cmd/dynamic-provider'": "test/install/consumers.test.ts",
  "the provider can't find pulumi-observability": "test/engine/mistakes.test.ts",
  "the provider's process ended": "test/unit/lifecycle/results.test.ts",
  "the certificate has expired": "test/unit/client/failures.test.ts",
  "rejected the TLS connection": "test/unit/client/failures.test.ts",
  "of customTimeouts": "test/engine/hosts.test.ts",
  'observability:host must be one of "dynamic", "plugin"': "test/unit/sdk/mocks.test.ts",
  'Unknown file extension ".ts"': "test/install/consumers.test.ts",
  KeyboardInterrupt: "test/unit/review/failures.test.ts",
  "the stack is currently locked by": "test/unit/teams/reports.test.ts",
  "the stack is locked by": "test/unit/teams/reports.test.ts",
  "pulumi-resource-observability is a Node.js program": "test/unit/tools/release.test.ts",
};
/**
 * Words of the CLI, Node.js and the compiler that no test meets: tests set a passphrase, their programs are JavaScript,
 * they destroy where the package is installed, no record in their state lacks its provider, they name the plugin, and have no
 * proxy.
 */
const seenByHand = [
  "passphrase must be set with PULUMI_CONFIG_PASSPHRASE",
  "Unable to compile TypeScript",
  "code must be a string, not undefined",
  "Cannot find module 'pulumi-observability/provider'",
  "could not find latest version for provider observability",
  "reading 'readFile'",
  "Failed to connect to proxy",
  "TS5110",
];

const page = textOf("docs/troubleshooting.md");
const headings = [...page.matchAll(/^### (`.+`)$/gm)].flatMap(([, all = ""]) => all.slice(1, -1).split("`, `"));
/** What this page and the limits call a message: the text of a link to its heading. */
const linked = [...`${page}${textOf("docs/limits.md")}`.matchAll(/\[`([^`]+)`\]\((?:troubleshooting\.md)?#/g)];
const messages = [...headings, ...linked.map(([, message = ""]) => message)];

test("every message that the page explains is one that is printed", () => {
  const printed = textOf("test/messages/messages.snap.md");
  const isReal = (message: string) => {
    const file = metElsewhere[message];
    if (file !== undefined) return textOf(file).includes(message);
    return seenByHand.includes(message) || printed.includes(message);
  };
  expect(headings.length).toBeGreaterThan(40);
  expect(messages.filter((message) => !isReal(message))).toEqual([]);
});

test("no message is listed as met elsewhere that the page does not have, or that the provider prints", () => {
  const printed = textOf("test/messages/messages.snap.md");
  const listed = [...Object.keys(metElsewhere), ...seenByHand];
  expect(listed.filter((message) => !headings.includes(message) || printed.includes(message))).toEqual([]);
});
