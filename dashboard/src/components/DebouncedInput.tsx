import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'

/** Typing pauses shorter than this do not trigger a search. */
const DEBOUNCE_MS = 500

/** A text field that applies its value when typing pauses, on Enter and on blur. */
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
  const settleSoon = useDebouncedCallback(settle, { delay: DEBOUNCE_MS, flushOnUnmount: false })
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
