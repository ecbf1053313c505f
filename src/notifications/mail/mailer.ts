/** A mail to one person. Both bodies say the same. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** `<…@…>`, where the same mail may be sent again. */
  readonly messageId?: string
}

/** Sends mails behind the caller's back: how long it takes, or that it fails, shows in no answer. */
export interface Mailer {
  /** Returns at once; a mail that cannot be sent is an event of the log. */
  post(mail: Mail): void
  /** Resolves when what was posted is sent or given up. */
  close(): Promise<void>
}
