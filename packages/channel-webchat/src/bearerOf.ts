import type { ProviderRequest } from "@parley/core"

/** The token of `Authorization: Bearer …`; empty if absent. */
export const bearerOf = ({ headers }: ProviderRequest): string =>
  /^Bearer +([^\s,]+)$/i.exec(headers.authorization ?? "")?.[1] ?? ""
