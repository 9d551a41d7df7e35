/** The options of the provider, for all connections. */
export interface EmailOptions {
  /** An additional certificate authority, as PEM, that may certify mail servers. */
  readonly ca?: string
  /** Idle time in ms after which a connection to an SMTP server is closed. Default: 10 s. */
  readonly idleMs?: number
}
