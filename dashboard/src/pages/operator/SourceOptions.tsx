import { Anchor, Collapse } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { canCheck, type SourceValues } from './add-source-form.ts'
import { SourceOptionFields } from './SourceOptionFields.tsx'

/** Few publishers ask for more than an address; a field that is wrong is never hidden. */
export function SourceOptions({ form }: { form: UseFormReturnType<SourceValues> }) {
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
