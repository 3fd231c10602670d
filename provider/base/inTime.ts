/** The result of the work. @throws an error with the message, if it takes longer. */
export async function inTime<T>(work: () => Promise<T>, secs: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(message)), secs * 1_000);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
