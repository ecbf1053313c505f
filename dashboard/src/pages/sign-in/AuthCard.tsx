import { Alert, Box, Card, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { pendingLink } from '../../api/pending-link.ts'
import { invitationPreviewQuery } from '../../api/queries.ts'
import { usePageHeading } from '../../components/PageHeader.tsx'

/** The card of a sign-in page, with the page's h1. `below` is for other links: "No account yet?". */
export function AuthCard(props: {
  title: string
  lead?: ReactNode
  icon?: ReactNode
  children?: ReactNode
  below?: ReactNode
}) {
  const heading = usePageHeading(props.title)
  return (
    <>
      <Card p={{ base: 'lg', xs: 'xl' }} shadow="xs">
        {props.icon && <Box mb="sm">{props.icon}</Box>}
        <Title order={1} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {props.title}
        </Title>
        {props.lead && (
          <Text c="dimmed" size="sm" mt={4} component="div">
            {props.lead}
          </Text>
        )}
        {props.children && (
          <Stack gap="md" mt="lg">
            {props.children}
          </Stack>
        )}
      </Card>
      {props.below && (
        <Group justify="center" gap={6} mt="md" fz="sm">
          {props.below}
        </Group>
      )}
    </>
  )
}

/** Separates two sign-in methods. */
export function OrDivider() {
  return <Divider label="or" labelPosition="center" />
}

/** Reminds invited visitors which organization they join. Renders nothing for others. */
export function InvitationNote() {
  const link = pendingLink()
  const token = link?.page === '/app/invitation' ? link.token : ''
  const { data } = useQuery({ ...invitationPreviewQuery(token), enabled: token !== '' })
  if (data?.status !== 'open') return null
  return (
    <Alert py="xs">
      Next, you'll join{' '}
      <b>
        <bdi>{data.organization}</bdi>
      </b>
      .
    </Alert>
  )
}
