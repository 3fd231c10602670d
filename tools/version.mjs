/**
 * The first version number in a text: "go version go1.26.8 linux/amd64" → "1.26.8", "v3.220.0-alpha.1" → "3.220.0".
 * @param {string} text
 */
export function versionIn(text) {
  const [, major, minor, patch = "0"] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  return major === undefined ? undefined : `${major}.${minor}.${patch}`;
}

/** @param {string} version @param {string} minimum */
export function isAtLeast(version, minimum) {
  const [a, b] = [version, minimum].map((text) => text.split(".").map(Number));
  for (const [i, least] of (b ?? []).entries()) {
    const difference = (a?.[i] ?? 0) - least;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
