import { CommandError } from "../../report/output";

const [interrupt, end, backspace, rubout] = ["\u0003", "\u0004", "\b", "\u007f"];

/** Asks on the terminal for a line that it does not show. */
export function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setEncoding("utf8").setRawMode(true).resume();
  return new Promise((done, fail) => {
    let line = "";
    const stop = () => {
      stdin.off("data", take).setRawMode(false).pause();
      stderr.write("\n");
    };
    const take = (typed: string) => {
      for (const [i, character] of [...typed].entries()) {
        if (character === interrupt || character === end) {
          stop();
          fail(new CommandError("interrupted: what was entered before is set"));
          return;
        }
        if (character === "\r" || character === "\n") {
          stop();
          // Several lines that were pasted answer the questions after this one.
          const rest = [...typed].slice(i + 1).join("");
          if (rest !== "") stdin.unshift(rest);
          done(line);
          return;
        }
        line = character === backspace || character === rubout ? line.slice(0, -1) : line + character;
      }
    };
    stdin.on("data", take);
  });
}
