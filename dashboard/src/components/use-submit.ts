import type { UseFormReturnType } from '@mantine/form'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../api/client.ts'

/** What a form needs beside its fields: spread `onSubmit` and `noValidate` on the form, give `error` to `FormError`, `busy` to the button. */
export interface Submit {
  readonly formProps: {
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
    readonly noValidate: true
  }
  readonly busy: boolean
  /** Why it was refused, unless that stands at a field. */
  readonly error: unknown
}

/**
 * Sends a form once its fields are right; the first that is wrong gets the focus. An `ApiError` that names one of the fields is shown there.
 */
export function useSubmit<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
): Submit {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const sendValid = async (values: Values) => {
    setBusy(true)
    setError(undefined)
    try {
      await send(values)
    } catch (caught) {
      const field = caught instanceof ApiError ? caught.field : undefined
      if (field !== undefined && field in values) {
        form.setFieldError(field, (caught as ApiError).message)
        form.getInputNode(field)?.focus()
      } else {
        setError(caught)
      }
    } finally {
      setBusy(false)
    }
  }
  const onSubmit = form.onSubmit(sendValid, (errors) => {
    const [first] = Object.keys(errors)
    if (first) form.getInputNode(first)?.focus()
  })
  return { formProps: { onSubmit, noValidate: true }, busy, error }
}
