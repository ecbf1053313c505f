/** A choice of the visitor's that outlives the page. Undefined where none was made, and where storage is forbidden. */
export function readChoice(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a choice, if storage is allowed. */
export function keepChoice(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Then the choice holds for this page.
  }
}
