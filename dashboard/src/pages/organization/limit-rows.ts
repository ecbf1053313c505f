import type { Limits } from '../../../../src/shared/contract/limits.ts'
import { formatBytes, formatCount, formatNumberOf } from '../../components/format.ts'

/** A limit in words: what, and how much. */
export interface LimitRow {
  readonly what: string
  readonly limit: string
}

/** The rate limits that the operator has set; empty if there are none. */
export function rateRows({ rates }: Limits): LimitRow[] {
  const rows = [
    { what: 'Requests of an API key', value: rates.keyRequests, unit: 'a minute' },
    { what: 'Requests of an organization', value: rates.organizationRequests, unit: 'a minute' },
    { what: 'Processing time of an API key', value: rates.keyMs, unit: 'milliseconds a second' },
    { what: 'Processing time of an organization', value: rates.organizationMs, unit: 'milliseconds a second' },
  ]
  return rows.flatMap(({ what, value, unit }) =>
    value === undefined ? [] : [{ what, limit: `${formatCount(value)} ${unit}` }],
  )
}

/** The limits of requests, the dashboard, slots and retention, each with its rows. */
export function limitSections({ requests, organization, account, slots, retention }: Limits) {
  const days = (count: number | undefined) => (count === undefined ? 'Not limited' : formatNumberOf(count, 'day'))
  return [
    {
      title: 'Requests',
      rows: [
        row('Slots on a page', requests.slotsPerPage),
        row('Changes on a page', requests.changesPerPage),
        row('Characters of the request target', requests.targetCharacters),
        row('Waiting requests of an API key', requests.waitingPerKey),
        row('Waiting requests of an organization', requests.waitingPerOrganization),
      ],
    },
    {
      title: 'Organizations and accounts',
      rows: [
        row('Active API keys of an organization', organization.activeKeys),
        row('Open invitations of an organization', organization.openInvitations),
        { what: 'Members of an organization', limit: 'Not limited' },
        row('Organizations that one account owns', account.ownedOrganizations),
        row('Organizations that one account belongs to', account.organizations),
        row('Changes by one account in an hour', account.changesPerHour),
      ],
    },
    {
      title: 'Slots',
      rows: [
        row('Slots of all sources', slots.all),
        row('Slots of one source, by default', slots.perSource),
        { what: 'Imported file', limit: formatBytes(slots.uploadBytes) },
      ],
    },
    {
      title: 'Retention',
      rows: [
        { what: 'Usage, ended API keys and invitations', limit: days(retention.usageDays) },
        { what: 'Request log', limit: days(retention.logDays) },
        row('Requests in the log of an organization', retention.logEntries),
        { what: 'Audit log', limit: days(retention.auditDays) },
        {
          what: 'Entries of all audit logs',
          limit: retention.auditEntries === undefined ? 'Not limited' : formatCount(retention.auditEntries),
        },
      ],
    },
  ]
}

function row(what: string, count: number): LimitRow {
  return { what, limit: formatCount(count) }
}
