/** The part of a `Pool` of `pg` that Parley uses. */
export interface CallersPool {
  /** Resolves with a client of `pg`. */
  readonly connect: () => Promise<{ readonly release: (destroy?: boolean) => void }>
  readonly options: { readonly max: number }
  /** Whether the caller has ended the pool. */
  readonly ending?: boolean
}
