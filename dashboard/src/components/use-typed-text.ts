import { useState } from 'react'

/**
 * The text of a field that applies it, trimmed, by `settle`. It follows `wanted` when Back or a button changes that, but not when
 * the text that the field itself applied comes back: the visitor may have typed on.
 */
export function useTypedText(wanted: string, onSettle: (text: string) => void) {
  const [text, setText] = useState(wanted)
  const [shown, setShown] = useState(wanted)
  const [settled, setSettled] = useState(wanted)
  if (shown !== wanted) {
    setShown(wanted)
    if (settled !== wanted) {
      setSettled(wanted)
      setText(wanted)
    }
  }
  const settle = (typed: string) => {
    const trimmed = typed.trim()
    setSettled(trimmed)
    if (trimmed !== wanted) onSettle(trimmed)
  }
  return { text, setText, settle }
}
