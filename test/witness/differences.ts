/** Every place at which two lists of places and their types differ, as a sentence; none where they are the same. */
export function differences(expected: Readonly<Record<string, string>>, found: Readonly<Record<string, string>>) {
  const places = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  return places.flatMap((place) => {
    const [wanted, got] = [expected[place], found[place]];
    if (wanted === got) return [];
    if (got === undefined) return [`missing: ${place} (${wanted})`];
    if (wanted === undefined) return [`extra: ${place} (${got})`];
    return [`${place} is ${got}, expected ${wanted}`];
  });
}
