/** Validators for form fields; each returns an error message, or null. */
export const rules = {
  email: (value: string) =>
    /^[^\s@]+@[^\s@]+\.?[^\s@]*$/.test(value.trim()) ? null : 'Enter an email address, such as ada@example.org',
  /** The server enforces the same limits. */
  newPassword: (value: string) => {
    if (value.length < 10) return 'Use at least 10 characters'
    return value.length > 128 ? 'Use at most 128 characters' : null
  },
  oneTimeCode: (code: string) => (/^\d{6}$/.test(code.replaceAll(' ', '')) ? null : 'Enter the six-digit code'),
  present: (what: string) => (value: string) => (value.trim() ? null : `Enter ${what}`),
  /** The name of a person, an organization or a key. */
  name: (what: string) => (value: string) => {
    if (!value.trim()) return `Enter ${what}`
    return value.trim().length > 100 ? 'Use at most 100 characters' : null
  },
}
