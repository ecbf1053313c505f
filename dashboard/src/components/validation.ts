/** What the fields of forms ask for; each returns what is wrong, or null. */
export const rules = {
  email: (value: string) =>
    /^[^\s@]+@[^\s@]+\.?[^\s@]*$/.test(value.trim())
      ? null
      : 'Enter an e-mail address, such as ada@example.org',
  /** For a new one; the service asks for the same. */
  newPassword: (value: string) => {
    if (value.length < 10) return 'Use at least 10 characters'
    return value.length > 128 ? 'Use at most 128 characters' : null
  },
  present: (what: string) => (value: string) => (value.trim() ? null : `Enter ${what}`),
  /** Of a person, an organization or a key. */
  name: (what: string) => (value: string) => {
    if (!value.trim()) return `Enter ${what}`
    return value.trim().length > 100 ? 'Use at most 100 characters' : null
  },
}
