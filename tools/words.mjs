import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.mjs";

/** Words that readers stumble over, and what to write instead. @type {readonly (readonly [RegExp, string])[]} */
const words = [
  [
    /\b(?:is|are|be|was) told\b|\btold apart\b/i,
    "is notified (on-call); is reported, is printed (a fact); distinguished",
  ],
  [/\bdo(?:es)?n't tell\b/i, "can't recognize, doesn't show"],
  [/\bsays? so\b/i, "prints a message, reports it"],
  [/\b(?:take|takes|taken|taking|took) over\b|\btake-over\b/i, "adopt, adoption"],
  [/\b(?:take|takes|took) back\b/i, "revert"],
  [/\banew\b/i, "recreated, again"],
  [/\bat the services?\b/i, "in the service"],
  [/\b(?:left|leaves?) in place\b/i, "is not deleted"],
  [/\bway out\b/i, "what to do, how to fix it"],
  [/\bnobody can know\b|\bnobody knows\b/i, "is unknown, can't be determined"],
  [/\b(?:is|are) gone\b/i, "was deleted, no longer exists"],
  [/\bfires no more\b/i, "no longer fires"],
  [/\b(?:is|are|turns?) (?:red|green)\b/i, "fails, succeeds"],
  [/\bin (?:the )?place of\b/i, "instead of"],
  [/\bthe engine's doing\b/i, "caused by the Pulumi engine"],
  [/\bcommand line is wrong\b/i, "the arguments are invalid"],
  [/\bmends?\b/i, "fixes"],
  [/\bwitness\b/i, "a hand-written copy"],
  [/\bproves? (?:the )?address\b/i, "checks the URL and token"],
  [/\bbut for\b/i, "except for"],
  [/\bunder way\b/i, "in progress"],
  [/\bin clear\b/i, "in plain text"],
  [/\bforge\b/i, "GitHub and GitLab; a Git host"],
  [/\b(?:is|are) struck\b|\bstruck from\b/i, "redacted"],
  [/\bends? in order\b/i, "shuts down gracefully"],
  [/\bas the programs? says?\b/i, "as declared"],
  [/\b(?:is|are) away\b/i, "is unreachable"],
];

/** What people read or work on. Of the tests only what shows the messages and the sentences of a review. */
const folders = ["docs", "examples", "provider", "sdk", "cli", "service", "tools"];
const snapshots = ["test/messages/messages.snap.md", "test/unit/review/sentences.snap.md"];
const others = /(?:^|\/)(?:node_modules|dist|\.[^/]+)\/|^tools\/words\.mjs$/;

/** The banned words in texts, comments and messages, as `path:line "words": what to write`. Code in Markdown is skipped. */
export function bannedWords() {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  return [...inFolders, ...readdirSync(root).filter((name) => name.endsWith(".md")), ...snapshots]
    .filter((path) => /\.(?:md|ts|mjs|js|py|go|yml|yaml)$/.test(path) && !others.test(path))
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, i) =>
          words.flatMap(([banned, instead]) => {
            const found = banned.exec(path.endsWith(".md") ? line.replace(/`[^`]*`/g, "") : line);
            return found ? [`${path}:${i + 1} "${found[0]}": write ${instead}`] : [];
          }),
        ),
    );
}
