/** Reads a stored choice. Undefined without one, or if storage is blocked. */
export function readChoice(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a choice, if storage is available. */
export function keepChoice(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Storage is blocked: the choice applies to this page only.
  }
}
