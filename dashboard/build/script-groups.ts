/** Mantine's components without its forms, what places overlays, and the rest of the router's and the queries' packages. */
const BASIC =
  /[\\/](?:@floating-ui|@tanstack|@mantine[\\/]hooks|@mantine[\\/]core[\\/]esm[\\/](?:core|utils))[\\/]|[\\/]core[\\/]esm[\\/]components[\\/](?!(?:Autocomplete|Checkbox|Chip|FileInput|FloatingIndicator|MultiSelect|NumberInput|Pagination|PasswordInput|Pill|PillsInput|Progress|Radio|SegmentedControl|Slider|Stepper|Tabs|TagsInput|Textarea)[\\/])/

/** Components of this repository that are made of forms. */
const OWN_FORM =
  /[\\/]components[\\/](?:CodeTabs|ConfirmDialog|Pagination|PasswordForm|use-submit|use-totp-form|validation)\./

/**
 * Modules of this repository that no single page owns. The texts of reports are only written on request, few pages have sources or
 * subscriptions, and one uploads files.
 */
const PART =
  /[\\/]src[\\/](?:(?:api|components|lib|shared)[\\/](?!.*(?:conformance|html|report|source|subscription|upload))|layout[\\/](?!ConfirmationDialog)|pages[\\/](?:usage[\\/](?:TexturePattern|palette|status-labels)|organization[\\/]roles|account[\\/]describe-device|keys[\\/](?:KeyBadges|key-dialogs|key-labels|keys\.module)))/

/** The log of an account shows entries as the audit logs of organizations do. */
const SECURITY_LOG = /[\\/]pages[\\/]account[\\/](?:SecurityLog|own-entry|security-log)\./

/** The form of filters, of Explore and of a dialog of subscriptions. */
const FILTER_FORM =
  /[\\/]pages[\\/]explore[\\/](?:FilterForm|NearField|SuggestField|filter-example|use-filter-draft|visitor-position)\./

/** The dialogs of keys; those of subscriptions use parts of them. */
const OF_DIALOGS =
  /[\\/]pages[\\/]keys[\\/](?:dialogs|EditKeyDialog|KeyFormDialogs|SecretDialog|OneTimeSecret|ExpiryField|key-expiry)\./

/** Modules that only one page or dialog needs: never in a shared file. */
const OF_ONE = /[\\/](?:minisearch|@speed-highlight|uqr|@mantine[\\/]notifications)[\\/]/

/**
 * The script files of the dashboard, so that a page loads a dozen instead of eighty. A group takes its modules, with all that they
 * import, from the groups below it.
 *
 *     import   what the site uses, too: Vite's loader of lazy files, and the states
 *     react    React, which changes least
 *     start    the rest of the entry: router, queries, theme
 *     basics   packages of every page: buttons, texts, menus
 *     parts    this repository's layout, components and helpers
 *     forms    all other packages that several pages share
 *     account, operator, webhooks, usage, organization    what several of these pages share
 *     filters  the form of filters, of Explore and of subscriptions
 *     key-dialogs    the dialogs of keys
 *
 * Code that only one page or dialog needs stays in a separate file.
 */
export const SCRIPT_GROUPS = [
  { name: 'import', test: /preload-helper|[\\/]state-tiles\./ },
  { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
  { name: 'start', tags: ['$initial' as const], test: isOfDashboard },
  { name: 'basics', test: BASIC, minShareCount: 2 },
  { name: 'parts', test: (id: string) => PART.test(id) && !OWN_FORM.test(id) },
  { name: 'forms', test: isForm, minShareCount: 2 },
  { name: partOfPages, debugName: 'pages', test: /[\\/]src[\\/]pages[\\/]/, minShareCount: 2 },
  { name: 'filters', test: FILTER_FORM },
  { name: 'key-dialogs', test: OF_DIALOGS },
].map((group, at) => ({ ...group, priority: 100 - at }))

/** The site's own scripts must not load those of the dashboard. */
function isOfDashboard(id: string): boolean {
  return !/dashboard[\\/]site[\\/]/.test(id)
}

function isForm(id: string): boolean {
  return OWN_FORM.test(id) || (id.includes('node_modules') && !OF_ONE.test(id))
}

function partOfPages(id: string): string | null {
  if (SECURITY_LOG.test(id)) return 'organization'
  const folder = /[\\/]pages[\\/]([\w-]+)/.exec(id)?.[1]
  if (folder === 'sign-in') return 'account'
  if (FILTER_FORM.test(id) || OF_DIALOGS.test(id)) return null
  if (folder === 'webhooks' || folder === 'usage') return folder
  return folder === undefined || /^(?:account|operator)$/.test(folder) ? (folder ?? null) : 'organization'
}
