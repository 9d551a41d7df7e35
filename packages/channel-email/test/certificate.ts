/** A certificate that localhost signed for itself, valid for a hundred years; made by `openssl req -x509`. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUCRKu8ZAUB4kifnLdPURK4ZmAsRQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA4MDkyMloYDzIxMjYxMDI4
MDgwOTIyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARmzu/DzxwZfDguH+qrGTKuHBYs+5a4XT+b+9m+wAJpzhz8I/i4A15l
twkHgi7X6kX0UepwFhBYGHetnSjbqqgVo28wbTAdBgNVHQ4EFgQUBb7q0g6sv1Jk
58WM4uvGWcnIsi8wHwYDVR0jBBgwFoAUBb7q0g6sv1Jk58WM4uvGWcnIsi8wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgTkwrIIFGHe8+bNKnw0zWfjUA0hjgv5wbAwZQ5MlphD4CICms
/Hmd+TkGon3MNAwn19G57cfrlAe1Q6PKSR2391wE
-----END CERTIFICATE-----
`

/** Its key, which opens nothing. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGZRfyUbnTs8yBsEg
Q7Wko4NYgR3wygrwz/3DySoF4COhRANCAARmzu/DzxwZfDguH+qrGTKuHBYs+5a4
XT+b+9m+wAJpzhz8I/i4A15ltwkHgi7X6kX0UepwFhBYGHetnSjbqqgV
-----END PRIVATE KEY-----
`
