/** Computes a value at its first use, and returns it at each further one. */
export const lazy = <A>(compute: () => A): (() => A) => {
  let computed: { readonly value: A } | null = null
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}
