import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type FormEvent, use, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { refetchOutdated } from '../api/refused-change.ts'

interface FormDialog {
  /** Closes it like Escape does: after a question if something was entered. */
  readonly cancel: () => void
  /** Tells it whether the form is being sent. */
  readonly setSending: (isSending: boolean) => void
}

/** The dialog around a form. */
export const FormDialogContext = createContext<FormDialog>({ cancel: () => undefined, setSending: () => undefined })

/** Spread `formProps` on the form, pass `error` and `busy` to `FormButtons`, or to `FormError` and the button. */
interface Submit {
  readonly formProps: {
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
    readonly noValidate: true
  }
  readonly busy: boolean
  /** Why it was rejected, unless a field shows it. */
  readonly error: unknown
}

/**
 * Sends a form once its fields are valid; the first invalid field gets the focus. An `ApiError` that names a field is shown there.
 */
export function useSubmit<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
): Submit {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const queryClient = useQueryClient()
  const { setSending } = use(FormDialogContext)
  const sendValid = async (values: Values) => {
    setBusy(true)
    setSending(true)
    setError(undefined)
    try {
      await send(values)
    } catch (error) {
      refetchOutdated(queryClient, error)
      const field = error instanceof ApiError ? error.field : undefined
      if (field !== undefined && field in values) {
        form.setFieldError(field, (error as ApiError).message)
        form.getInputNode(field)?.focus()
      } else {
        setError(error)
      }
    } finally {
      setBusy(false)
      setSending(false)
    }
  }
  const onSubmit = form.onSubmit(sendValid, (errors) => {
    const [first] = Object.keys(errors)
    if (first) form.getInputNode(first)?.focus()
  })
  return { formProps: { onSubmit, noValidate: true }, busy, error }
}
