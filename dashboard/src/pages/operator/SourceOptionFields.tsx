import {
  Alert,
  Anchor,
  Code,
  Collapse,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { DAYS_AHEAD, DAYS_AHEAD_MAX, REJECTED_PERCENT_MAX } from '../../../../src/shared/source-fields.ts'
import { IconChevronDown } from '../../components/icons.tsx'
import { canCheck, type SourceValues } from './source-form.ts'
import { AUTHORIZATION_LABELS, SERVER_LABELS } from './source-labels.ts'

type Form = UseFormReturnType<SourceValues>

/** Request options of a source. Secrets are referenced by variable, never stored. */
export function SourceOptionFields({ form }: { form: Form }) {
  const isServer = form.values.format === 'fhir-search'
  return (
    <Stack gap="md">
      <Alert color="gray" variant="light" py="xs">
        Secrets are not stored here. Enter <Code>{`\${SOURCE_HARBOR_KEY}`}</Code> and set the variable{' '}
        <Code>SOURCE_HARBOR_KEY</Code> in the environment of the service. Its name must start with <Code>SOURCE_</Code>.
      </Alert>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Textarea
          label="Headers"
          description="One per line, sent with every request."
          placeholder={`X-Api-Key: \${SOURCE_HARBOR_KEY}`}
          {...LINES}
          {...form.getInputProps('headers')}
        />
        <Textarea
          label="Query parameters"
          description="One per line, added to every URL."
          placeholder="tenant=harbor"
          {...LINES}
          {...form.getInputProps('query')}
        />
      </SimpleGrid>
      {isServer && <ServerFields form={form} />}
      <SnapshotFields form={form} />
    </Stack>
  )
}

/** The options of sources of every format: what is served, and what is suspicious. */
export function SnapshotFields({ form }: { form: Form }) {
  return (
    <>
      <Switch
        label="Serve test data"
        description="Slots that the publisher labels as test data (HTEST) are not served otherwise."
        {...form.getInputProps('serveTestData', { type: 'checkbox' })}
      />
      <NumberInput
        label="Rejected lines, at most (%)"
        description="A snapshot with a larger share of rejected lines is suspicious."
        placeholder={String(REJECTED_PERCENT_MAX)}
        min={0}
        max={100}
        {...form.getInputProps('rejectedPercentMax')}
      />
    </>
  )
}

const LINES = { autosize: true, minRows: 2, maxRows: 6, autoComplete: 'off', spellCheck: false } as const

function ServerFields({ form }: { form: Form }) {
  const { authorization } = form.values
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label="Days ahead"
          description={`How far ahead to request slots: 1 to ${DAYS_AHEAD_MAX}.`}
          placeholder={String(DAYS_AHEAD)}
          min={1}
          max={DAYS_AHEAD_MAX}
          allowDecimal={false}
          {...form.getInputProps('daysAhead')}
        />
        <NativeSelect
          label="Server"
          description="Leave at automatic unless its metadata does not name it."
          data={SERVERS}
          {...form.getInputProps('server')}
        />
        <NativeSelect
          label="Authorization"
          description="How to obtain an access token."
          data={AUTHORIZATIONS}
          {...form.getInputProps('authorization')}
        />
      </SimpleGrid>
      {authorization !== '' && <TokenFields form={form} kind={authorization} />}
    </>
  )
}

const SERVERS = [
  { value: '', label: 'Automatic' },
  ...Object.entries(SERVER_LABELS).map(([value, label]) => ({ value, label })),
]

const AUTHORIZATIONS = [
  { value: '', label: 'None' },
  ...Object.entries(AUTHORIZATION_LABELS).map(([value, label]) => ({ value, label })),
]

function TokenFields({ form, kind }: { form: Form; kind: keyof typeof AUTHORIZATION_LABELS }) {
  const plain = { autoComplete: 'off', spellCheck: false } as const
  const isKey = kind === 'backend-services'
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label="Token URL"
        placeholder="https://publisher.example/token"
        {...plain}
        {...form.getInputProps('tokenUrl')}
      />
      <TextInput label="Client ID" {...plain} {...form.getInputProps('clientId')} />
      <TextInput
        label={isKey ? 'Private key' : 'Client secret'}
        description={isKey ? 'The variable that holds it, as a JSON Web Key.' : 'The variable that holds it.'}
        placeholder={isKey ? `\${SOURCE_HARBOR_JWK}` : `\${SOURCE_HARBOR_SECRET}`}
        {...plain}
        {...form.getInputProps('secret')}
      />
      <TextInput
        label="Scope"
        description="Leave empty to request read access to all needed resources."
        placeholder="system/Slot.read"
        {...plain}
        {...form.getInputProps('scope')}
      />
    </SimpleGrid>
  )
}

/** Collapsed by default, because few publishers need options. Fields with values stay visible. */
export function SourceOptionsSection({ form }: { form: UseFormReturnType<SourceValues> }) {
  const [opened, { toggle }] = useDisclosure()
  const isIncomplete = opened || form.values.format === 'fhir-search' || !canCheck(form.values)
  if (form.values.format === 'fhir-search') return <SourceOptionFields form={form} />
  return (
    <div>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-expanded={isIncomplete}
        aria-controls="source-options"
        onClick={toggle}
        mb={isIncomplete ? 'sm' : undefined}
      >
        <IconChevronDown
          size={14}
          aria-hidden
          style={{ verticalAlign: '-2px', transform: isIncomplete ? undefined : 'rotate(-90deg)' }}
        />{' '}
        Headers and query parameters
      </Anchor>
      <Collapse expanded={isIncomplete} id="source-options">
        <SourceOptionFields form={form} />
      </Collapse>
    </div>
  )
}
