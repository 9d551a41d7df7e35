/** Removes the credentials from a vendor's text: vendors repeat tokens that they cannot parse. */
export const withoutSecrets = (message: string, credentials: Readonly<Record<string, string>>): string =>
  Object.values(credentials).reduce((rest, secret) => rest.replaceAll(secret, "…"), message)
