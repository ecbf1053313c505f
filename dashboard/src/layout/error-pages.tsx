import { Button, Container } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { IconLock, IconMapQuestion } from '../components/icons.tsx'
import { HelpLine } from '../components/operator.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { EmptyState, ErrorState } from '../components/states.tsx'

/** For unknown URLs and for organizations that the visitor does not belong to. */
export function NotFoundPage() {
  return (
    <Container size="sm" py="xl">
      <PageHeader title="Page not found" />
      <EmptyState
        icon={<IconMapQuestion aria-hidden />}
        title="This page doesn't exist, or you don't have access to it"
        action={
          <Button component="a" href="/app">
            Go to your keys
          </Button>
        }
      >
        Check the URL. If someone sent you the link, ask them to invite you to their organization.
      </EmptyState>
      <HelpLine />
    </Container>
  )
}

/** For the operator's pages when the visitor's role is not enough. */
export function ForbiddenPage() {
  return (
    <Container size="sm" py="xl">
      <PageHeader title="Operator access required" />
      <EmptyState
        icon={<IconLock aria-hidden />}
        title="Only the operator of this service can see this page"
        action={
          <Button component="a" href="/app">
            Go to your keys
          </Button>
        }
      >
        If you run this service, open the setup link from its log, or ask another operator to add your email.
      </EmptyState>
      <HelpLine />
    </Container>
  )
}

/** For a page that could not be loaded or rendered. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    router.invalidate()
  }
  return (
    <Container size="sm" py="xl">
      <PageHeader title="Something went wrong" />
      <ErrorState error={error} onRetry={retry} title="This page could not be loaded" />
      <HelpLine />
    </Container>
  )
}
