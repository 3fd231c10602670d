/** Does the work for each item, `limit` at a time. The work must not throw: then the rest would go on unwatched. */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // The workers share one iterator, so that each item is taken once.
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
