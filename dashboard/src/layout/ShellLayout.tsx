import { Anchor, AppShell, Burger, Group, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { service } from '../api/service.ts'
import { useMe } from '../api/session.ts'
import { useSearchParams } from '../components/use-search-params.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { ColorSchemeMenu } from './ColorSchemeMenu.tsx'
import { Confirmation } from './Confirmation.tsx'
import { Logo } from './Logo.tsx'
import { lastOrganization, rememberVisit } from './last-organization.ts'
import classes from './layout.module.css'
import { Navigation } from './Navigation.tsx'
import { OrganizationMenu } from './OrganizationMenu.tsx'
import { PageFooter } from './PageFooter.tsx'
import { SkipLink } from './SkipLink.tsx'

// They are rarely needed.
const AccountNotices = lazy(async () => ({ default: (await import('./AccountNotices.tsx')).AccountNotices }))
const SingleSignOnError = lazy(async () => ({
  default: (await import('../pages/sign-in/SingleSignOnError.tsx')).SingleSignOnError,
}))

/** Of one notice, and of an error of one line, so that the page does not move. */
const NOTICE_HEIGHT = 150
const ERROR_HEIGHT = 87

/** The layout of every signed-in page: header, navigation, content. */
export function ShellLayout() {
  const [opened, { toggle, close }] = useDisclosure()
  const { org } = useParams({ strict: false })
  const me = useMe()
  const current = me.organizations.find(({ id }) => id === org) ?? lastOrganization(me)
  const pathname = useLocation({ select: (location) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes
  useEffect(close, [pathname])
  useEffect(() => {
    rememberVisit(me.organizations.find(({ id }) => id === org)?.id)
  }, [org, me])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding={0}
    >
      <SkipLink />
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="sm" wrap="nowrap" className={classes.headerStart}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={opened ? 'Close menu' : 'Open menu'}
              aria-expanded={opened}
            />
            <Anchor href="/" underline="never" c="inherit" aria-label={`${service.name} home`}>
              <Logo nameVisibleFrom="sm" />
            </Anchor>
            <span className={classes.slash} aria-hidden />
            <OrganizationMenu current={current} />
          </Group>
          <Group gap={4} wrap="nowrap">
            <ColorSchemeMenu />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Main" p="sm">
        <Navigation organization={current} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          {me.notices.length > 0 && (
            <Suspense fallback={<Skeleton height={NOTICE_HEIGHT} mb="lg" />}>
              <AccountNotices />
            </Suspense>
          )}
          <ConfirmationError />
          <Outlet />
        </div>
        <PageFooter />
        <Confirmation />
      </AppShell.Main>
    </AppShell>
  )
}

/** Why single sign-on did not confirm the identity: it returns to the page that asked. */
function ConfirmationError() {
  const [{ error, error_description: description }, change] = useSearchParams()
  if (!error) return null
  const close = () => change({ error: undefined, error_description: undefined })
  return (
    <Suspense fallback={<Skeleton height={ERROR_HEIGHT} mb="lg" />}>
      <SingleSignOnError error={error} description={description} onClose={close} />
    </Suspense>
  )
}
