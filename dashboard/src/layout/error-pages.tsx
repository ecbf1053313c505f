import { Button, Container } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { IconLock, IconMapQuestion } from '../components/icons.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { EmptyState, ErrorState } from '../components/states.tsx'

/** For an address that leads nowhere, and for what belongs to an organization that the visitor is not in. */
export function NotFoundPage() {
  return (
    <Container size="sm" py="xl">
      <PageHeader title="Nothing here" />
      <EmptyState
        icon={<IconMapQuestion aria-hidden />}
        title="This page does not exist, or is not yours to see"
        action={
          <Button component="a" href="/app">
            Go to your keys
          </Button>
        }
      >
        Check the address. If somebody sent you the link, ask to be invited to their organization.
      </EmptyState>
    </Container>
  )
}

/** For the operator's pages, when somebody else comes. */
export function ForbiddenPage() {
  return (
    <Container size="sm" py="xl">
      <PageHeader title="For the operator" />
      <EmptyState
        icon={<IconLock aria-hidden />}
        title="Only whoever runs this service sees this page"
        action={
          <Button component="a" href="/app">
            Go to your keys
          </Button>
        }
      >
        If that is you, open the setup link from the service's log, or ask for your address to be named as an
        operator's.
      </EmptyState>
    </Container>
  )
}

/** For a page that could not be loaded or broke. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    router.invalidate()
  }
  return (
    <Container size="sm" py="xl">
      <PageHeader title="That did not work" />
      <ErrorState error={error} onRetry={retry} title="This page could not be shown" />
    </Container>
  )
}
