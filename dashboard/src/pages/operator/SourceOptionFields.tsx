import {
  Alert,
  Anchor,
  Code,
  Collapse,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { DAYS_AHEAD, DAYS_AHEAD_MAX } from '../../../../src/feeds/option-limits.ts'
import { IconChevronDown } from '../../components/icons.tsx'
import { canCheck, type SourceValues } from './source-form.ts'
import { KIND_NAMES } from './source-labels.ts'

type Form = UseFormReturnType<SourceValues>

/** How a publisher wants to be asked. Secrets are named, never written. */
export function SourceOptionFields({ form }: { form: Form }) {
  const isServer = form.values.format === 'fhir-search'
  return (
    <Stack gap="md">
      <Alert color="gray" variant="light" py="xs">
        Secrets are not stored here: write <Code>{`\${SOURCE_HARBOUR_KEY}`}</Code>, and set the variable{' '}
        <Code>SOURCE_HARBOUR_KEY</Code> in the environment of the service. Its name must begin with{' '}
        <Code>SOURCE_</Code>.
      </Alert>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Textarea
          label="Headers"
          description="One a line, sent with each request."
          placeholder={`X-Api-Key: \${SOURCE_HARBOUR_KEY}`}
          {...LINES}
          {...form.getInputProps('headers')}
        />
        <Textarea
          label="Query parameters"
          description="One a line, added to each address."
          placeholder="tenant=harbour"
          {...LINES}
          {...form.getInputProps('query')}
        />
      </SimpleGrid>
      {isServer && <ServerFields form={form} />}
    </Stack>
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
          description={`How far slots are asked for: 1 to ${DAYS_AHEAD_MAX}.`}
          placeholder={String(DAYS_AHEAD)}
          min={1}
          max={DAYS_AHEAD_MAX}
          allowDecimal={false}
          {...form.getInputProps('daysAhead')}
        />
        <NativeSelect
          label="Authorization"
          description="How an access token is had."
          data={AUTHORIZATIONS}
          {...form.getInputProps('authorization')}
        />
      </SimpleGrid>
      {authorization !== '' && <TokenFields form={form} kind={authorization} />}
    </>
  )
}

const AUTHORIZATIONS = [
  { value: '', label: 'None' },
  ...Object.entries(KIND_NAMES).map(([value, label]) => ({ value, label })),
]

function TokenFields({ form, kind }: { form: Form; kind: keyof typeof KIND_NAMES }) {
  const plain = { autoComplete: 'off', spellCheck: false } as const
  const isKey = kind === 'backend-services'
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label="Token address"
        placeholder="https://publisher.example/token"
        {...plain}
        {...form.getInputProps('tokenUrl')}
      />
      <TextInput label="Client id" {...plain} {...form.getInputProps('clientId')} />
      <TextInput
        label={isKey ? 'Private key' : 'Client secret'}
        description={isKey ? 'The variable that holds it, as a JSON Web Key.' : 'The variable that holds it.'}
        placeholder={isKey ? `\${SOURCE_HARBOUR_JWK}` : `\${SOURCE_HARBOUR_SECRET}`}
        {...plain}
        {...form.getInputProps('secret')}
      />
      <TextInput
        label="Scope"
        description="Empty: to read what slots lead to."
        placeholder="system/Slot.read"
        {...plain}
        {...form.getInputProps('scope')}
      />
    </SimpleGrid>
  )
}

/** Few publishers ask for more than an address; a field that is wrong is never hidden. */
export function SourceOptionsSection({ form }: { form: UseFormReturnType<SourceValues> }) {
  const [opened, { toggle }] = useDisclosure()
  const isOpen = opened || form.values.format === 'fhir-search' || !canCheck(form.values)
  if (form.values.format === 'fhir-search') return <SourceOptionFields form={form} />
  return (
    <div>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-expanded={isOpen}
        aria-controls="source-options"
        onClick={toggle}
        mb={isOpen ? 'sm' : undefined}
      >
        <IconChevronDown
          size={14}
          aria-hidden
          style={{ verticalAlign: '-2px', transform: isOpen ? undefined : 'rotate(-90deg)' }}
        />{' '}
        Headers and query parameters
      </Anchor>
      <Collapse expanded={isOpen} id="source-options">
        <SourceOptionFields form={form} />
      </Collapse>
    </div>
  )
}
