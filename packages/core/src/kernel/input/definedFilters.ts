/** Removes null and undefined filters, for the `where` of a list. */
export const definedFilters = <A extends { readonly [column: string]: unknown }>(
  filters: A
): { readonly [K in keyof A]?: Exclude<A[K], null | undefined> } =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value != null)) as {
    [K in keyof A]?: Exclude<A[K], null | undefined>
  }
