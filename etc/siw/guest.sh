#!/usr/bin/env bash
# A guest with Linux's own soft-iWARP (siw), for iwcm to talk to; docs/interop.md. Debian's packages and no others:
#
#   etc/siw/guest.sh packages        install them (root)
#   etc/siw/guest.sh build           kernel, initramfs, and siw.ko out of Debian's kernel source, into the cache
#   etc/siw/guest.sh run DIR         run it in the foreground until it is killed; sockets and console are in DIR
#   etc/siw/guest.sh where           print where the cache is
#
# In DIR: wire.sock has the guest's Ethernet (QEMU listens: -netdev stream), shell.sock takes commands, one a line, and
# console.log says 'siw is up' when they are heard. No root but for 'packages'. IWCM_CACHE=DIR puts the cache elsewhere.
#
# Three of siw's constants become parameters of the module, so that one guest can play them all:
# /sys/module/siw/parameters/{peer_to_peer,mpa_crc_required,mpa_version}.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${IWCM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/iwcm}/siw-guest
export PATH=$PATH:/usr/sbin:/sbin

tools=(rping ucmatose rdma ibv_devices ss)
modules=(virtio_pci virtio_net crc32c_generic 8021q siw rdma_ucm)

die() { echo "$*" >&2; exit 2; }

# The newest kernel whose headers are installed, without real time and clouds.
release() {
    local headers
    headers=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' 'linux-headers-*-amd64' 2>/dev/null |
        sed -n 's/^ii *linux-headers-\([0-9].*\)/\1/p' | grep -v -e rt -e cloud | sort -V | tail -1)
    [[ -n $headers ]] || die "No kernel headers are installed: run '$0 packages' as root."
    echo "$headers"
}

programs=(qemu-system-x86 busybox-static cpio kmod xz-utils make gcc libc6-dev iproute2 rdmacm-utils ibverbs-utils
    ibverbs-providers libibverbs-dev librdmacm-dev)

# Everything is there already.
complete() {
    local kernel
    kernel=$(release 2>/dev/null) &&
        dpkg-query -W "${programs[@]}" "linux-source-$(cut -d. -f1,2 <<<"$kernel")" >/dev/null 2>&1
}

packages() {
    if complete; then return; fi
    [[ $(id -u) == 0 ]] || die "Only root can install packages."
    export DEBIAN_FRONTEND=noninteractive
    local kernel
    apt-get -qq update
    kernel=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: linux-image-\(.*\)/\1/p' | head -1)
    [[ -n $kernel ]] || die "Debian's package lists name no kernel."
    apt-get -qq -y --no-install-recommends install "${programs[@]}" \
        "linux-source-$(cut -d. -f1,2 <<<"$kernel")" "linux-headers-$kernel" >/dev/null
}

build() {
    local kernel version stamp
    kernel=$(release)
    version=$(dpkg-query -W -f '${Version}' "linux-headers-$kernel")
    stamp="$kernel $version $(cat "$here/guest.sh" "$here/peer.c" | sha256sum)"
    if [[ -e $cache/stamp && $(<"$cache/stamp") == "$stamp" ]]; then return; fi
    rm -f "$cache/stamp"
    mkdir -p "$cache"
    cd "$cache"
    # Only unpacked, never installed: the machine that tests need not boot it.
    compgen -G "linux-image-$kernel"_*.deb >/dev/null || apt-get -qq download "linux-image-$kernel" 2>/dev/null ||
        die "The package linux-image-$kernel cannot be fetched."
    rm -rf image source root
    mkdir image source root
    dpkg-deb -x "$(compgen -G "linux-image-$kernel"_*.deb | tail -1)" image
    siw "$kernel"
    root "$kernel"
    (cd root && find . -print0 | sort -z | cpio --null -o -H newc --quiet | gzip -1) >initramfs.gz
    cp "image/boot/vmlinuz-$kernel" kernel
    rm -rf image source root
    echo "$stamp" >stamp
}

# Debian leaves siw out of its kernels: its source is compiled against their headers.
siw() {
    local kernel=$1 series
    series=$(cut -d. -f1,2 <<<"$kernel")
    tar -xJf "/usr/src/linux-source-$series.tar.xz" -C source --strip-components=5 --wildcards '*/drivers/infiniband/sw/siw/*'
    sed -i -E 's/^extern const (bool (peer_to_peer|mpa_crc_required);)/extern \1/' source/siw.h
    sed -i -E \
        -e 's/^const bool (peer_to_peer|mpa_crc_required);/bool \1; module_param(\1, bool, 0644);/' \
        -e 's/^(u_char mpa_version = .*;)/\1 module_param(mpa_version, byte, 0644);/' source/siw_main.c
    [[ $(grep -c 'module_param' source/siw_main.c) == 3 ]] || die "The source of siw is not as it was: look at siw_main.c."
    make -s -C "/usr/src/linux-headers-$kernel" M="$cache/source" CONFIG_RDMA_SIW=m modules >make.log 2>&1 ||
        { cat make.log >&2; die "siw does not compile."; }
    mkdir -p "image/lib/modules/$kernel/extra"
    cp source/siw.ko "image/lib/modules/$kernel/extra/"
    depmod -b image "$kernel"
}

root() {
    local kernel=$1 module file tool path
    mkdir -p root/{bin,proc,sys,dev,tmp,lib/modules,etc/libibverbs.d}
    cp "$(type -P busybox)" root/bin/busybox
    for tool in $(root/bin/busybox --list | grep -vx -e busybox -e ip); do ln -s busybox "root/bin/$tool"; done
    for module in "${modules[@]}"; do # With what each needs, in the order of loading.
        modprobe -d image -S "$kernel" --show-depends "$module" | sed -n 's/^insmod //p'
    done | awk '!seen[$1]++ {print $1}' | while read -r file; do
        cp "$file" root/lib/modules/
        basename "$file" >>root/lib/modules/order
    done
    gcc -O1 -Wall -Werror -o root/bin/peer "$here/peer.c" -lrdmacm -libverbs
    for tool in "${tools[@]}"; do
        path=$(type -P "$tool") || die "$tool is not installed: run '$0 packages' as root."
        cp -L "$path" root/bin/
    done
    cp -L "$(type -P ip)" root/bin/ip2 # Busybox's shell would run an ip of its own.
    path=$(compgen -G '/usr/lib/*/libibverbs/libsiw-rdmav*.so' | tail -1)
    cp /etc/libibverbs.d/siw.driver root/etc/libibverbs.d/
    { # Libraries, and what glibc opens by name when a thread ends.
        echo "$path"
        compgen -G '/lib/x86_64-linux-gnu/libgcc_s.so.1'
        for file in root/bin/peer root/bin/ip2 "${tools[@]/#/root/bin/}" "$path"; do
            ldd "$file" | grep -o '/[^ ]*'
        done
    } | sort -u | while read -r file; do
        mkdir -p "root$(dirname "$file")"
        cp -L "$file" "root$file"
    done
    cat >root/init <<'INIT'
#!/bin/sh
export PATH=/bin HOME=/
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t tmpfs tmp /tmp
ulimit -l unlimited
while read -r module; do insmod "/lib/modules/$module"; done </lib/modules/order
ip2 link set lo up
ip2 link set eth0 up
ip2 address add 10.99.0.1/24 dev eth0
ip2 address add fd99::1/64 dev eth0 nodad
ip2 link add link eth0 name tagged type vlan id 100
ip2 link set tagged up
ip2 address add 10.99.1.1/24 dev tagged
ip2 address add fd99:1::1/64 dev tagged nodad
rdma link add siw0 type siw netdev eth0
rdma link add siw1 type siw netdev tagged
until [ -e /dev/infiniband/uverbs1 ]; do sleep 0.1; done
echo 'siw is up'
exec 3<>/dev/ttyS1
stty raw -echo <&3
while read -r line <&3; do sh -c "$line" </dev/null >&3 2>&1; done
poweroff -f
INIT
    chmod +x root/init
}

run() {
    local dir=$1
    [[ -e $cache/stamp ]] || die "There is no guest yet: run '$0 build'."
    mkdir -p "$dir"
    cd "$dir"
    rm -f wire.sock shell.sock console.log
    # Without offloads: whole checksums and no frame above the MTU, as on a cable.
    exec qemu-system-x86_64 -machine pc,accel="${IWCM_ACCEL:-tcg}" -cpu max -smp 1 -m 384 -display none -no-reboot \
        -nodefaults -kernel "$cache/kernel" -initrd "$cache/initramfs.gz" \
        -append "console=ttyS0 quiet panic=-1 mitigations=off" \
        -serial file:console.log -serial unix:shell.sock,server=on,wait=off \
        -netdev stream,id=wire,server=on,addr.type=unix,addr.path=wire.sock \
        -device virtio-net-pci,netdev=wire,mac=52:54:00:99:00:01,romfile=,csum=off,guest_csum=off,guest_tso4=off,guest_tso6=off,guest_ecn=off,guest_ufo=off,host_tso4=off,host_tso6=off,host_ecn=off,host_ufo=off
}

case ${1:-} in
    packages) packages ;;
    build) build ;;
    run) run "${2:?a directory}" ;;
    where) echo "$cache" ;;
    *) sed -n '2,16s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
