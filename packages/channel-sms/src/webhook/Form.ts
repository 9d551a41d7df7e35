/** A form's fields by name; of a repeated one the first value. */
export type Form = { readonly [name: string]: string | undefined }
