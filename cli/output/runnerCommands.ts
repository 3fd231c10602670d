// CI runners execute commands that a job prints: GitHub Actions a line that begins with `::`, GitHub, Azure Pipelines and TeamCity
// `##[…]`, `##vso[…]` and `##teamcity[…]` anywhere. What we print quotes programs, services and files, which may contain such text.

/** An invisible character, after which a runner no longer recognizes the command. */
const stop = "\u200b";

/**
 * Returns a text in which a CI runner finds no command.
 * @param isLineStart Whether only white space was printed before it on its line.
 */
export const withoutRunnerCommands = (text: string, isLineStart: boolean): string =>
  text
    .replaceAll(isLineStart ? /(^|[\r\n])([^\S\r\n]*):(?=:|$)/g : /([\r\n])([^\S\r\n]*):(?=:|$)/g, `$1$2${stop}:`)
    // The command may be complete only with the next text.
    .replaceAll(/#(?=#|$)/g, `#${stop}`);

/** Removes runner commands from all that this process prints. */
export function stopRunnerCommands(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    let isLineStart = true;
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      const safe = withoutRunnerCommands(text, isLineStart);
      const lastLine = /[^\r\n]*$/.exec(text)?.[0] ?? "";
      isLineStart = lastLine.trim() === "" && (isLineStart || lastLine.length < text.length);
      // `write` has two forms, which differ after the chunk only.
      return write(safe, ...(rest as []));
    };
  }
}

/** Returns a value as JSON in which a runner finds no command. */
export const jsonText = (value: unknown, indent?: number): string =>
  // In JSON, two signs in a row are only in strings.
  JSON.stringify(value, null, indent).replaceAll(/#(?=#)/g, "\\u0023");
