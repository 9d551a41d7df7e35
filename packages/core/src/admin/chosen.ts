/** The filters of a query that are used, for the `where` of a list: without those that are null or not given. */
export const chosen = <A extends { readonly [column: string]: unknown }>(
  filters: A
): { readonly [K in keyof A]?: Exclude<A[K], null | undefined> } =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value != null)) as {
    [K in keyof A]?: Exclude<A[K], null | undefined>
  }
