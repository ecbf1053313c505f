import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useTypedText } from './use-typed-text.ts'

/** Typing pauses shorter than this do not trigger a search. */
const DEBOUNCE_MS = 500

/** A text field that applies its value, trimmed, when typing pauses, on Enter and on blur. */
export function DebouncedInput({
  value,
  onSettle,
  ...props
}: Omit<TextInputProps, 'value' | 'onChange'> & { value: string; onSettle: (text: string) => void }) {
  const { text, setText, settle } = useTypedText(value, onSettle)
  const settleSoon = useDebouncedCallback(settle, { delay: DEBOUNCE_MS, flushOnUnmount: false })
  const settleNow = () => {
    settleSoon.cancel()
    settle(text)
  }
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      {...props}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        settleSoon(event.currentTarget.value)
      }}
      onBlur={settleNow}
      onKeyDown={(event) => event.key === 'Enter' && settleNow()}
    />
  )
}
