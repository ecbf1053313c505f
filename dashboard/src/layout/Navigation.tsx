import { Badge, NavLink, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { OrganizationView } from '../../../src/shared/contract/organizations.ts'
import { useMe, useOptions } from '../api/session.ts'
import { sourceSummaryQuery } from '../api/source-queries.ts'
import { formatCompact } from '../components/format.ts'
import {
  type Icon,
  IconActivity,
  IconAdjustments,
  IconBook2,
  IconBuilding,
  IconChartBar,
  IconClipboardCheck,
  IconGauge,
  IconHistory,
  IconKey,
  IconList,
  IconListSearch,
  IconPlugConnected,
  IconShieldCheck,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '../components/icons.tsx'
import classes from './layout.module.css'

const ORGANIZATION_PAGES: readonly [page: string, label: string, Icon: Icon][] = [
  ['keys', 'API keys', IconKey],
  ['webhooks', 'Webhooks', IconWebhook],
  ['usage', 'Usage', IconChartBar],
  ['logs', 'Logs', IconList],
  ['limits', 'Limits', IconGauge],
  ['members', 'Members', IconUsers],
  ['audit', 'Audit log', IconHistory],
  ['settings', 'Settings', IconAdjustments],
]
const OPERATOR_PAGES: readonly [page: string, label: string, Icon: Icon][] = [
  ['sources', 'Sources', IconPlugConnected],
  ['check', 'Check a feed', IconClipboardCheck],
  ['organizations', 'Organizations', IconBuilding],
  ['accounts', 'Accounts', IconUsersGroup],
  ['operators', 'Operators', IconShieldCheck],
  ['audit', 'Service log', IconHistory],
  ['health', 'Health', IconActivity],
]

/** Links to the pages of the organization, of the slots and of the operator. */
export function Navigation({ organization }: { organization: OrganizationView | undefined }) {
  const { docsUrl } = useOptions()
  const { operatorRole } = useMe()
  const operatorPages = OPERATOR_PAGES.filter(([page]) => operatorRole === 'operator' || page !== 'check')
  return (
    <div className={classes.navigation}>
      {organization && (
        <Section label="Organization">
          {ORGANIZATION_PAGES.map(([page, label, Icon]) => (
            <PageLink key={page} to={`/app/o/${organization.id}/${page}`} label={label} Icon={Icon} />
          ))}
        </Section>
      )}
      <Section label="Slots">
        <PageLink to="/app/explore" label="Explore slots" Icon={IconListSearch} />
        <NavLink
          href={docsUrl}
          label="Documentation"
          className={classes.navLink}
          leftSection={<IconBook2 size={18} stroke={1.7} aria-hidden />}
        />
      </Section>
      {operatorRole && (
        <Section label="Operator">
          {operatorPages.map(([page, label, Icon]) => (
            <PageLink key={page} to={`/app/operator/${page}`} label={label} Icon={Icon}>
              {page === 'sources' && <SourcesInTrouble />}
            </PageLink>
          ))}
        </Section>
      )}
    </div>
  )
}

function Section(props: { label: string; children: React.ReactNode }) {
  const id = `navigation-${props.label.toLowerCase()}`
  return (
    <section aria-labelledby={id} className={classes.navSection}>
      <Text id={id} size="xs" fw={600} c="dimmed" px={10} mb={4}>
        {props.label}
      </Text>
      {props.children}
    </section>
  )
}

/** How many sources need attention; nothing if none does. */
function SourcesInTrouble() {
  const { data } = useQuery(sourceSummaryQuery)
  const count = data?.attention ?? 0
  if (count === 0) return null
  const { failing = 0, suspicious = 0 } = data?.byHealth ?? {}
  return (
    <Badge size="sm" variant="light" color={failing + suspicious > 0 ? 'red' : 'orange'}>
      {formatCompact(count)}
      <span className="sr-only"> {count === 1 ? 'needs' : 'need'} attention</span>
    </Badge>
  )
}

function PageLink(props: { to: string; label: string; Icon: Icon; children?: React.ReactNode }) {
  const { to, label, Icon, children } = props
  const isCurrent = useLocation({
    select: ({ pathname }) => pathname === to || pathname.startsWith(`${to}/`),
  })
  return (
    <NavLink
      component={Link}
      to={to}
      label={label}
      active={isCurrent}
      {...(isCurrent && { 'aria-current': 'page' })}
      className={classes.navLink}
      leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
      rightSection={children}
    />
  )
}
