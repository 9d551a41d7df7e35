import type { EmailConfig, Security } from "./EmailConfig.js"

/** The address of a mail server, and the transport security. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: Security
}

/** A server as configured, with fields that may be absent. */
type Configured = Pick<EmailConfig["smtp"], "host" | "port" | "security">

const reach = ({ host, port, security }: Configured, tls: number, starttls: number): MailServer => ({
  host,
  port: port ?? (security === undefined || security === "tls" ? tls : starttls),
  security: security ?? (port === undefined || port === tls ? "tls" : "starttls")
})

/** Defaults by the ports of RFC 8314. */
export const smtpServer = (configured: Configured): MailServer => reach(configured, 465, 587)
export const imapServer = (configured: Configured): MailServer => reach(configured, 993, 143)
