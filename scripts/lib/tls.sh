# shellcheck shell=bash
# Certificates for a server's encrypted listener and for its clients, which must
# have one too, from an authority that only this run knows; and the account that
# the listener asks for.

secure_user=outbox
secure_password='s3cret:/%'
secure_password_escaped=s3cret%3A%2F%25

# make_certificate: makes sure that $dir/tls has ca.pem, server.pem, server.key,
# and both.pem, the last two in one file. The server's account owns the keys.
make_certificate() {
	local tls=$dir/tls
	[[ ! -e $tls/both.pem ]] || return 0
	need openssl openssl
	mkdir -p "$tls"
	local key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650)
	quietly openssl req -x509 "${key[@]}" -subj '/CN=authority of the outbox tests' \
		-keyout "$tls/ca.key" -out "$tls/ca.pem"
	quietly openssl req "${key[@]}" -subj '/CN=localhost' -keyout "$tls/server.key" -out "$tls/server.csr"
	printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' >"$tls/names"
	quietly openssl x509 -req -in "$tls/server.csr" -CA "$tls/ca.pem" -CAkey "$tls/ca.key" -CAcreateserial \
		-days 3650 -extfile "$tls/names" -out "$tls/server.pem"
	cat "$tls/server.key" "$tls/server.pem" >"$tls/both.pem"
	chmod 644 "$tls"/*.pem
	own "$tls" "$tls/server.key" "$tls/both.pem"
}

# secure_url SCHEME [PORT [PARAMETERS]]: prints the URL of the encrypted listener,
# with the account and the files.
secure_url() {
	printf '%s://%s:%s@127.0.0.1:%s/?ca=%s&cert=%s&key=%s%s\n' "$1" "$secure_user" "$secure_password_escaped" \
		"${2:-$secure_port}" "$dir/tls/ca.pem" "$dir/tls/server.pem" "$dir/tls/server.key" "${3:+&$3}"
}
