/** How the provider itself works, for all connections. */
export interface EmailOptions {
  /** A certificate authority that mail servers may also be certified by, as PEM, besides the ones that Node trusts. */
  readonly ca?: string
  /** After how long a connection to an SMTP server that nothing is sent over is closed, in ms. Default: 10 s. */
  readonly idleMs?: number
}
