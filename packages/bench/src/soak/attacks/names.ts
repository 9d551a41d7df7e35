/** The attacks, in the order of the report. */
export const attackNames = [
  "silent-bodies",
  "slow-headers",
  "wrong-credentials",
  "large-bodies",
  "large-bodies-of-tenant",
  "chat-flood",
  "stream-churn",
  "hanging-endpoints",
  "forged-inbound",
  "expensive-mails",
  "forged-unsubscribes",
  "foreign-hosts",
  "media-ranges",
  "connection-churn"
] as const
export type AttackName = (typeof attackNames)[number]
