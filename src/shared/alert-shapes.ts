/** One who is told of sources in trouble, and how that goes. */
export interface AlertWayView {
  readonly kind: 'webhook' | 'email'
  /** The webhook's host, or the address. */
  readonly to: string
  /** When a message last arrived, and was last given up: of those that are remembered, a week at least. */
  readonly deliveredAtMs?: number
  readonly givenUpAtMs?: number
  /** Messages on their way, and of the oldest of them: when it was made, how often it was sent, when it is sent again. */
  readonly waiting: number
  readonly next?: {
    readonly createdAtMs: number
    readonly attempts: number
    readonly nextAttemptAtMs: number
  }
  /** Why it failed when this node last sent something; absent if that arrived. */
  readonly fault?: { readonly atMs: number; readonly why: string }
}

/** What became of a test. */
export interface AlertTestView {
  readonly kind: AlertWayView['kind']
  readonly to: string
  readonly arrived: boolean
  readonly why?: string
}

/** Where operators see to it that alerts arrive. */
export interface AlertDesk {
  /** Everybody who is told; nobody where no alerts are configured. */
  list(): Promise<AlertWayView[]>
  /** Sends a test to each, one at a time however many ask, and says what became of it. Takes a minute at most. */
  test(): Promise<AlertTestView[]>
}
