const UNRELEASED = '## Unreleased\n'

/**
 * A changelog (Keep a Changelog 1.1.0) whose unreleased changes became those of a version, and their text. `date`: YYYY-MM-DD. Throws if
 * there are none.
 */
export function releaseChanges(changelog: string, version: string, date: string): { changelog: string; notes: string } {
  const at = changelog.indexOf(UNRELEASED)
  if (at === -1) throw new Error('CHANGELOG.md has no section "## Unreleased".')
  const begin = at + UNRELEASED.length
  const next = changelog.indexOf('\n## ', begin)
  const notes = changelog.slice(begin, next === -1 ? undefined : next).trim()
  if (notes === '') throw new Error('CHANGELOG.md has no unreleased changes: describe them first.')
  const rest = next === -1 ? '' : changelog.slice(next)
  const head = `${changelog.slice(0, begin)}\n## ${version} - ${date}\n\n`
  return { changelog: `${head}${notes}\n${rest}`, notes: `${notes}\n` }
}
