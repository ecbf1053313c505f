/** The page in the URL, from 1; 1 for anything else. */
export function pageOf(text: unknown): number {
  return /^[1-9]\d{0,5}$/.test(String(text)) ? Number(text) : 1
}
