import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'

/** How long somebody may pause between two letters without the search going off. */
const SETTLED_AFTER_MS = 500

/** A field whose text takes effect once the typing pauses, on Enter, or when it is left; not with each letter. */
export function DebouncedInput({
  value,
  onSettle,
  ...props
}: Omit<TextInputProps, 'value' | 'onChange'> & { value: string; onSettle: (text: string) => void }) {
  const [draft, setDraft] = useState(value)
  useEffect(() => setDraft(value), [value])
  const settle = (text: string) => {
    if (text !== value) onSettle(text)
  }
  const settleSoon = useDebouncedCallback(settle, { delay: SETTLED_AFTER_MS, flushOnUnmount: false })
  const settleNow = () => {
    settleSoon.cancel()
    settle(draft)
  }
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      {...props}
      value={draft}
      onChange={(event) => {
        setDraft(event.currentTarget.value)
        settleSoon(event.currentTarget.value)
      }}
      onBlur={settleNow}
      onKeyDown={(event) => event.key === 'Enter' && settleNow()}
    />
  )
}
