/** The namespace of stack config: `observability:baseUrl`. */
export const namespace = "observability";

/** `baseUrl` → `OBSERVABILITY_BASE_URL`. */
export function environmentVariable(setting: string): string {
  return `${namespace}_${snakeCase(setting)}`.toUpperCase();
}

/** `startHhMm` → `start_hh_mm`. */
export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `start_hh_mm` → `startHhMm`. */
export const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
