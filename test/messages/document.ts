/** Situations of one sort, each run for its message. */
export interface Section {
  readonly title: string;
  readonly situations: Readonly<Record<string, () => unknown>>;
}

/** All messages as a document to read, without what differs from run to run. */
export function render(
  sections: ReadonlyMap<string, ReadonlyMap<string, string>>,
  addresses: Readonly<Record<string, string>>,
): string {
  const parts = [...sections].map(([title, messages]) =>
    [
      `## ${title}`,
      ...[...messages].map(([name, text]) => `### ${name}\n\n\`\`\`text\n${steady(text, addresses)}\n\`\`\``),
    ].join("\n\n"),
  );
  return `# Messages of the provider, by situation\n\n${parts.join("\n\n")}\n`;
}

function steady(text: string, addresses: Readonly<Record<string, string>>): string {
  const named = Object.entries(addresses).reduce((left, [url, name]) => left.replaceAll(url, `http://${name}`), text);
  return (
    named
      .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>")
      .replace(/\d{4}-(?:\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|…)/g, "<time>")
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
      // A slow machine has time for fewer before the budget ends.
      .replace(/\b\d+ attempts? in [\d.]+ s/g, "<n> attempts in <n> s")
      .replace(/the next wait of [\d.]+ s/g, "the next wait of <n> s")
      .replace(/within [01](\.\d)? s/g, "within <n> s")
      // Follows from the kinds that there are; a test of its own compares it with them.
      .replace(/for lists of .*?, and for a single .*?, work/g, "for lists of <kinds>, and for a single <kind>, work")
      // The words of Node and of the system.
      .replace(/was interrupted: (?!its)[^.(]+/g, "was interrupted: <cause>")
  );
}
