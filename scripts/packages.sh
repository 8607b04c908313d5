# Sourced by test.sh: what the full suite needs besides Go, and how to get it.

# vulkan_present says whether there is a Vulkan loader and a driver for it.
vulkan_present() {
	# No grep -q: it would end ldconfig by SIGPIPE, a failure under pipefail.
	PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep 'libvulkan\.so\.1' >/dev/null || return 1
	[ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] ||
		ls /usr/share/vulkan/icd.d /etc/vulkan/icd.d 2>/dev/null | grep '\.json$' >/dev/null
}

# What the simulator of Metal is built with: a compiler of Objective-C and of the
# kernels, and a Foundation.
metalsim_packages='clang libgnustep-base-dev make'

metalsim_present() {
	command -v clang >/dev/null && command -v make >/dev/null && [ -e /usr/include/GNUstep/Foundation/Foundation.h ]
}

# install_packages makes a Vulkan device and the simulator of Metal available on
# Debian, where it may.
install_packages() {
	case $(uname -s) in
	Darwin) echo "macOS: the backends wgsl and metal use Metal, which is there; nothing to install." && return 0 ;;
	Linux) ;;
	*) return 0 ;;
	esac
	vulkan_present || install_missing 'tests of the wgsl backend will be skipped' libvulkan1 mesa-vulkan-drivers
	# shellcheck disable=SC2086 # packages are words
	metalsim_present || install_missing 'metal will not be tested on its simulator' $metalsim_packages
}

# install_missing installs packages, or says what happens without them ($1).
install_missing() {
	local without=$1
	shift
	if [ -n "${NO_INSTALL:-}" ]; then
		echo "NO_INSTALL is set, and these are missing: $*; $without."
	elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "Installing (NO_INSTALL=1 forbids it): $*"
		apt-get update -q >/dev/null || true
		DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$@" >/dev/null
	else
		echo "Without these packages $without. On Debian or Ubuntu:"
		echo "    sudo apt-get install $*"
	fi
}

# pin_lavapipe selects Mesa's CPU driver, unless a driver was chosen already.
pin_lavapipe() {
	[ -z "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] || return 0
	local icd
	for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
		[ -e "$icd" ] || return 0
		# Mesa's device selection has nothing to select then, and complains of a
		# missing XDG_RUNTIME_DIR in containers.
		export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd NODEVICE_SELECT=1
		return 0
	done
}
