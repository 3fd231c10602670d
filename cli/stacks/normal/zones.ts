const known = new Map<string, string>();

/** The name that JavaScript prefers for a time zone: `UTC` for `Etc/UTC`. A text that names none stays as it is. */
export function canonicalZone(name: string): string {
  const found = known.get(name) ?? preferred(name);
  known.set(name, found);
  return found;
}

function preferred(name: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return name;
    throw error;
  }
}
