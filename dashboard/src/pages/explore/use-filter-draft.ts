import { useState } from 'react'

/** The text of a field while it is edited. It follows the filter when the URL, a chip or Back changes that. */
export function useFilterDraft(value: string): [draft: string, setDraft: (draft: string) => void] {
  const [draft, setDraft] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    setDraft(value)
  }
  return [draft, setDraft]
}
