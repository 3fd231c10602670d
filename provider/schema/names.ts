/** The namespace of stack config: `observability:baseUrl`. */
export const namespace = "observability";

/** `baseUrl` → `OBSERVABILITY_BASE_URL`. */
export function environmentVariable(setting: string): string {
  return `${namespace}_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
}
